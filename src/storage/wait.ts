export const wait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** The value, or undefined if it takes longer. Failures are passed on. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, wait(ms)])

/** Slow databases answer within this time; a hanging one, as WebKit's sometimes is, never does. */
const PATIENCE_MS = 3_000

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** @throws {NoAnswer | unknown} `NoAnswer` after the time-out, or the failure of `work` */
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
