export const wait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** The value, or undefined when it takes longer. A failure is thrown as it comes. */
export const within = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, wait(ms)])
