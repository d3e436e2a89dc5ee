// An email and what sends it. Knows nothing about what an email says.

export interface EmailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  /** Resolves once the letter is with the mail server, or in its file. */
  send(message: EmailMessage): Promise<void>
}
