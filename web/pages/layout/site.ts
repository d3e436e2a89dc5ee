// The type of what every page needs besides its own content: the URLs of its assets, and the signed-in user.

export interface Site {
  readonly assets: Assets
  /** The signed-in user; undefined when signed out. */
  readonly visitor: Visitor | undefined
  /** Whether anyone can sign up. */
  readonly isOpen: boolean
  /** Whether there are pages under /explore. */
  readonly hasExplorer: boolean
}

/** URLs of the assets. Each file name contains a hash of the file's contents. */
export interface Assets {
  readonly style: string
  readonly icon: string
  /** The script of the public pages. */
  readonly page: string
  /** The script of the docs. */
  readonly docs: string
  /** The script of the explorer. */
  readonly explore: string
  readonly dashboard: string
  /** The app's own stylesheet, if it has one. */
  readonly dashboardStyle?: string
}

export interface Visitor {
  readonly email: string
  readonly name: string
  readonly role: 'consumer' | 'operator'
  readonly plan: 'free' | 'pro' | 'platinum'
}
