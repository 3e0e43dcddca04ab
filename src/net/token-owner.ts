/**
 * Whose token this is. The shop names the account in it, so token and owner cannot come apart: not between two
 * writes to local storage, nor in the worker's copy. Undefined for what is no token of the shop.
 */
export function ownerOf(token: string | undefined): string | undefined {
  try {
    // Base64 as in addresses; its two own signs come of no letter or figure, so this reads it as it is.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a token of the shop, or nothing of it is read
    return (JSON.parse(atob(token!.split('.')[1]!)) as { sub?: string }).sub
  } catch {
    return undefined
  }
}
