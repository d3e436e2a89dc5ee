// In charge of the shape of what every page is told beside its own matter: where its assets are, and who reads it.

export interface Site {
  readonly assets: Assets
  /** Who is signed in. */
  readonly visitor: Visitor | undefined
  /** Whether anyone may make an account. */
  readonly isOpen: boolean
}

/** Addresses, each named by its contents. */
export interface Assets {
  readonly style: string
  readonly icon: string
  /** What a script adds to the public pages. */
  readonly page: string
  /** What a script adds to the docs. */
  readonly docs: string
  /** What a script adds to the explorer. */
  readonly explore: string
  readonly dashboard: string
  /** Where the app has a stylesheet of its own. */
  readonly dashboardStyle?: string
}

export interface Visitor {
  readonly email: string
  readonly name: string
  readonly role: 'consumer' | 'operator'
  readonly plan: 'free' | 'pro' | 'platinum'
}
