import { cpus, loadavg } from 'node:os'
import { analyseTitle, type Analysing, LOWEST_PRIORITY } from './analyse-title.ts'
import { deleteAnalysisRequest, type DueTitle, selectDueTitle, selectTitleToAnalyse } from './queries.ts'

interface AnalysingDue extends Omit<Analysing, 'again'> {
  readonly isBusy?: () => boolean
}

/**
 * Analyses what the owner asked for, and every title that has new sound or text, the newest first. While the machine is
 * busy it begins only what was asked for and what has waited for a day, at a priority that gets a small share. An
 * interrupted run continues with the next chapter. A failed title does not stop the others.
 *
 * @throws the first failure, at the end
 */
export async function analyseDue({
  isBusy = isMachineBusy,
  priority,
  ...analysing
}: AnalysingDue): Promise<void> {
  const tried: string[] = []
  const failures: unknown[] = []
  let wasAsked = false
  while (!analysing.signal?.aborted) {
    const due = await selectDueTitle(analysing.db, tried, { isBusy: isBusy() })
    // The others can wait for the next run, which begins within ten minutes.
    if (!due || (wasAsked && !due.isAsked)) break
    wasAsked ||= due.isAsked
    tried.push(due.slug)
    const title = (await selectTitleToAnalyse(analysing.db, due.slug))!
    try {
      await analyseTitle(
        { ...analysing, again: due.isAgain, priority: priority ?? (() => priorityOf(due, isBusy())) },
        title,
      )
    } catch (error) {
      if (!analysing.signal?.aborted) failures.push(error)
    }
    if (!analysing.signal?.aborted) await deleteAnalysisRequest(analysing.db, title.id)
  }
  if (failures.length > 0) throw failures[0]
}

/** At 19, Linux gives a thread 1.5% of a processor that another process wants; at 10, a tenth of it. */
const BUSY_PRIORITY = 10

export const priorityOf = (
  { isAsked, hasWaited }: Pick<DueTitle, 'isAsked' | 'hasWaited'>,
  isBusy: boolean,
): number => (isBusy && (isAsked || hasWaited) ? BUSY_PRIORITY : LOWEST_PRIORITY)

/** More processes want to run than there are processors. The analysis counts as one of them. */
const isMachineBusy = (): boolean => loadavg()[0]! > cpus().length
