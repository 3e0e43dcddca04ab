/** Log-out takes this lock too, so that no refresh can revive the session it ends. */
export const TOKEN_LOCK = 'murmur-tokens'

const tails = new Map<string, Promise<unknown>>()

/**
 * Runs `work` while no other context of this origin runs work of the same name: tabs and worker use a Web
 * Lock; without locks, each page uses its own queue.
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  if (locks) {
    let begun = false
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the work answers
      return await locks.request(name, () => {
        begun = true
        return work()
      })
    } catch (problem) {
      // Browsers that block storage block locks too.
      if (begun) throw problem
    }
  }

  const before = tails.get(name) ?? Promise.resolve()
  const mine = before.then(work, work)
  tails.set(
    name,
    mine.catch(() => undefined),
  )
  return mine
}
