/** A token as the shop writes it, by the part that the client reads: whose it is. Nobody has signed it. */
export const tokenOf = (userUuid: string, name = 'one'): string =>
  ['header', Buffer.from(JSON.stringify({ sub: userUuid, jti: name })).toString('base64url'), 'none'].join(
    '.',
  )
