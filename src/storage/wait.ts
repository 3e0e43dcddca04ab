export const wait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** The value, or undefined when it takes longer. A failure is thrown as it comes. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, wait(ms)])

/** A database that is slow answers within this; one that hangs, as WebKit's now and then does, never does. */
const PATIENCE_MS = 3_000

/** The browser's database has not answered in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** @throws {NoAnswer | unknown} where nothing came in time, or whatever `work` throws */
export async function answered<T>(work: () => PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('The database does not answer')), PATIENCE_MS)
  })
  try {
    return await Promise.race([work(), silence])
  } finally {
    clearTimeout(timer)
  }
}
