/**
 * Whose token this is. The shop names the account in it, so token and owner cannot come apart: not between two
 * writes to local storage, nor in the worker's copy. Undefined for what is no token of the shop.
 */
export function ownerOf(token: string | undefined): string | undefined {
  try {
    // URL-safe Base64 differs from `atob`'s in two characters, which nothing in a token of ours produces.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a token of the shop, or nothing of it is read
    return (JSON.parse(atob(token!.split('.')[1]!)) as { sub?: string }).sub
  } catch {
    return undefined
  }
}
