import type { Change } from '#server/commands/frame.ts'
import { type Title, titleNamed } from '#server/features/catalogue/title-states.ts'
import { changeLoudness, planLoudness, type PlannedLoudness } from '#server/features/in-step/even-loudness.ts'
import { refused } from '#server/http/http-errors.ts'
import { counted } from '#server/print/table.ts'
import type { Shop } from '#server/shop.ts'

/** Evens out the chapters of an audiobook, or with `undo` gives them the volume that they came with. */
export async function evenLoudness(shop: Shop, title: Title, undo: boolean): Promise<Change> {
  const book = (await titleNamed(shop.db, title)).find(({ format }) => format === 'audio_book')
  if (!book) throw refused(`${title.slug} is no audiobook.`)
  const planned = await planLoudness(shop, book.id, { undo })
  if (planned.length > 0 && !undo && planned.every(({ loudness }) => loudness === null))
    throw refused(`It is not measured yet. Measure it first: npm run titles -- analyse ${title.slug}`)
  const changing = planned.filter(({ steps, wantedSteps }) => steps !== wantedSteps)
  if (changing.length === 0)
    throw refused(
      undo ? 'Every chapter has the volume that it came with.' : 'Every chapter is as even as it can be.',
    )
  return {
    about: `title ${title.slug}`,
    what: `${undo ? 'undid the loudness' : 'evened the loudness'} of ${counted(changing.length, 'chapter')}`,
    will: [
      ...planned.map(chapterLine),
      `${counted(changing.length, 'chapter')} ${changing.length === 1 ? 'gets' : 'get'} a new file, for ${counted(book.owners, 'person', 'people')} who ${book.owners === 1 ? 'owns' : 'own'} it and for whoever buys it. Copies that were downloaded stay as they are until they are fetched again.`,
      ...(undo ? [] : ['The originals are kept. To go back to them: --undo.']),
    ],
    carryOut: async () => {
      const changed = await changeLoudness(shop, book.id, planned)
      return { lines: [`${counted(changed.length, 'chapter')} changed.`], json: { chapters: changed } }
    },
  }
}

const REASONS = {
  'not-measured': 'not measured',
  'not-mp3': 'only MP3 can be changed without loss',
  peak: 'its peaks allow no more',
} as const

function chapterLine({ number, title, now, after, steps, wantedSteps, reason }: PlannedLoudness): string {
  const level = (lufs: number | null) => (lufs === null ? 'unknown' : `${lufs.toFixed(1)} LUFS`)
  const change = steps === wantedSteps ? `stays at ${level(now)}` : `${level(now)} becomes ${level(after)}`
  return `${number}. ${title}: ${change}${reason ? ` (${REASONS[reason]})` : ''}`
}
