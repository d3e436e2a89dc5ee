// In charge of knowing a secret by its shape, wherever it slips into a text, a URL or a stack.

export const hidden = '[hidden]'

/** API keys, webhook secrets, bearer tokens, and the password inside a URL. */
const secretShapes =
  /wd_live_\w+|whsec_[\w+/=-]+|(?<=\bBearer\s)[^\s"\\]+|(?<=:\/\/[^\s:@/"]*:)[^\s@/"]+(?=@)/gi

export function hideSecrets(text: string): string {
  return text.replace(secretShapes, hidden)
}
