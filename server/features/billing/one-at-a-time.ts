interface Turns<T> {
  readonly running: Promise<unknown>
  /** Asked for while that one ran: it begins afterwards, and sees all that had happened when it was asked for. */
  next?: Promise<T>
}

/**
 * Work on one thing at a time, and never more of it than is of use: whoever asks while it is under way shares one more run
 * with all the others who do. Ten notices of one charge cost two settlements.
 */
export function oneAtATime<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, Turns<T>>()
  const begin = (key: string, work: () => Promise<T>): Promise<T> => {
    const running = work()
    const turn: Turns<T> = { running }
    turns.set(key, turn)
    const over = () => {
      if (turns.get(key) === turn && !turn.next) turns.delete(key)
    }
    void running.then(over, over)
    return running
  }
  return (key, work) => {
    const turn = turns.get(key)
    if (!turn) return begin(key, work)
    const start = () => begin(key, work)
    return (turn.next ??= turn.running.then(start, start))
  }
}
