/**
 * Throws `TypeError` if a service's URL contains a user or a password. The error does not repeat the URL. `fetch` refuses
 * such a URL too, but its message contains the password.
 */
export function refuseCredentials(url: string): void {
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url))
    throw new TypeError(
      'The address of the service must not contain a user or a password, because addresses are printed and stored. Send a token, or sign requests',
    )
}
