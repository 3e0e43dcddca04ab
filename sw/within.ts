/** The value, or undefined when it takes longer. A failure is thrown as it comes. */
export function withinMs<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([work, patience]).finally(() => clearTimeout(timer))
}
