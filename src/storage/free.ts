/**
 * Gives the memory of a chunk back at once. The browser's own sweep comes when it likes: a chapter of 500 MB had a hundred of
 * them waiting for it. The chunk cannot be read afterwards.
 */
export function free(chunk: ArrayBuffer & { transfer?: (byteLength: number) => unknown }): void {
  // Safari before 17.4 and Firefox before 122 have no such call, and sweep by themselves.
  chunk.transfer?.(0)
}
