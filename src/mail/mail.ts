// The types of an email and of a mail transport. They do not know what an email says.

export interface EmailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  /** Resolves once the mail server has accepted the email, or once it is written to its file. */
  send(message: EmailMessage): Promise<void>
}
