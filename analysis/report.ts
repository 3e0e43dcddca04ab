import type { selectReport } from './queries.ts'

type Chapter = Awaited<ReturnType<typeof selectReport>>[number]

/** For the owner: what was measured and placed, and what looks wrong. */
export function reportLines(title: string, chapters: readonly Chapter[]): string[] {
  const reports = chapters.flatMap(({ report }) => (report ? [report] : []))
  const sentences = reports.reduce((sum, each) => sum + each.sentences, 0)
  const placed = reports.reduce((sum, each) => sum + each.placed, 0)
  return [
    title,
    ...(sentences > 0
      ? [`${placed} of ${sentences} sentences are placed (${percent(placed, sentences)}).`]
      : ['There is no text to place: the shop has no EPUB of this title.']),
    ...chapters.flatMap(chapterLines),
  ]
}

function chapterLines({ number, title, loudness, truePeak, problem, report, source }: Chapter): string[] {
  const sound = problem
    ? `the sound ${problem}`
    : loudness === null
      ? 'not measured'
      : `${loudness.toFixed(1)} LUFS${truePeak === null ? '' : `, peak ${truePeak.toFixed(1)} dBTP`}`
  const how = report
    ? `, ${report.placed} of ${report.sentences} sentences${source === 'estimated' ? ', estimated' : ''}`
    : ''
  return [
    `${number}. ${title}: ${sound}${how}`,
    ...(report?.problem ? [`   ${report.problem}`] : []),
    ...(report && report.extraSeconds > 0
      ? [`   ${report.extraSeconds} s of speech are not in the text`]
      : []),
    ...(report?.skipped.map((words) => `   not spoken: ${words}`) ?? []),
    ...(report && report.unknownWords.length > 0
      ? [`   guessed or unclear: ${report.unknownWords.join(', ')}`]
      : []),
  ]
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`
