import { cpus, loadavg } from 'node:os'
import { analyseTitle, type Analysing } from './analyse-title.ts'
import { selectDueTitle, selectTitleToAnalyse } from './queries.ts'

interface AnalysingDue extends Omit<Analysing, 'again'> {
  readonly isBusy?: () => boolean
}

/**
 * Analyses every title that has new sound or text, the newest first. Ends while the machine is busy; the next run goes
 * on with the next chapter. Titles that fail do not stop the rest. @throws the first failure, at the end
 */
export async function analyseDue({ isBusy = isMachineBusy, ...analysing }: AnalysingDue): Promise<void> {
  const tried: string[] = []
  const failures: unknown[] = []
  while (!analysing.signal?.aborted && !isBusy()) {
    const slug = await selectDueTitle(analysing.db, tried)
    if (slug === undefined) break
    tried.push(slug)
    try {
      await analyseTitle(analysing, (await selectTitleToAnalyse(analysing.db, slug))!)
    } catch (error) {
      if (!analysing.signal?.aborted) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** More processes want to run than there are processors. The analysis counts as one of them. */
const isMachineBusy = (): boolean => loadavg()[0]! > cpus().length
