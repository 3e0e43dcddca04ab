import { readdir } from 'node:fs/promises'
import { DateTime } from 'luxon'

const NAME = /^murmur-(\d{4}-\d{2}-\d{2}T\d{4}Z)\.backup$/
const FORM = "yyyy-MM-dd'T'HHmm'Z'"

const DAYS = 7
const WEEKS = 4
const MONTHS = 12

export const nameAt = (moment: Date): string =>
  `murmur-${DateTime.fromJSDate(moment, { zone: 'utc' }).toFormat(FORM)}.backup`

/** Newest first. Files with other names are ignored. */
export async function backupsIn(folder: string): Promise<{ name: string; madeAt: Date }[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .flatMap((name) => {
      const moment = NAME.exec(name)?.[1]
      return moment ? [{ name, madeAt: DateTime.fromFormat(moment, FORM, { zone: 'utc' }).toJSDate() }] : []
    })
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

export async function newestBackup(folder: string): Promise<Date | undefined> {
  return (await backupsIn(folder))[0]?.madeAt
}

/** The newest of each of the last seven days, four weeks and twelve months that have any. */
export function worthKeeping(moments: readonly Date[]): Date[] {
  const newestFirst = moments.toSorted((a, b) => b.getTime() - a.getTime())
  const newestOf = (count: number, form: string) => {
    const found = new Map<string, Date>()
    for (const moment of newestFirst) {
      const period = DateTime.fromJSDate(moment, { zone: 'utc' }).toFormat(form)
      if (!found.has(period)) found.set(period, moment)
    }
    return [...found.values()].slice(0, count)
  }
  const kept = [
    ...newestOf(DAYS, 'yyyy-MM-dd'),
    ...newestOf(WEEKS, "kkkk-'W'WW"),
    ...newestOf(MONTHS, 'yyyy-MM'),
  ]
  return newestFirst.filter((moment) => kept.includes(moment))
}
