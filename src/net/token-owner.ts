/**
 * Whose token this is. The shop names the account in it, so token and owner cannot come apart: not between two
 * writes to local storage, nor in the worker's copy. Undefined for what is no token of the shop.
 */
export function ownerOf(token: string | undefined): string | undefined {
  try {
    // Base64 as in addresses; its two own signs come of no letter or figure, so this reads it as it is.
    const claims: { sub?: string } = JSON.parse(atob(token!.split('.')[1]!))
    return claims.sub
  } catch {
    return undefined
  }
}
