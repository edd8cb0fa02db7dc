/** A database's URL as it may be printed: parameters are left out, since one of them may be a password. */
export function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}
