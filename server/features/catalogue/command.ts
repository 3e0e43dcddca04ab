import { command, reading, typed, withDatabase } from '../../commands/command.ts'
import type { Format } from './filter.ts'
import { type State, STATES } from './state-rows.ts'
import { deleteTitle, setState } from './states.ts'

const USAGE = `Usage: npm run titles -- state SLUG draft|listed|on-sale|retired [--format audiobook|e-book]
       npm run titles -- delete SLUG [--format audiobook|e-book]

state   draft: nobody sees it. listed: it has its page and stands in lists, and cannot be bought. retired: it is in no
        list and cannot be bought; who owns it keeps it for ever. Each holds until this command says otherwise, whatever
        is imported. on-sale: what its book.json or its catalogue says decides again
delete  removes a title that nobody owns and that is in no order; its folder would bring it in again

  --format  one of the two formats of the title; both without it`

const FORMATS: Readonly<Record<string, Format>> = { audiobook: 'audio_book', 'e-book': 'e_book' }
const WORDS = { audio_book: 'audiobook', e_book: 'e-book' } as const

type Asked = { readonly slug: string; readonly format?: Format } & (
  | { readonly verb: 'state'; readonly state: State }
  | { readonly verb: 'delete' }
)

const read = reading(USAGE, { format: { type: 'string' } }, ({ values, positionals }): Asked | string => {
  const [verb, slug, said, ...more] = positionals
  const format = values.format === undefined ? undefined : FORMATS[values.format]
  if (values.format !== undefined && !format)
    return `--format is audiobook or e-book, not “${values.format}”.`
  if (slug === undefined || more.length > 0) return USAGE
  const title = { slug, ...(format ? { format } : {}) }
  if (verb === 'delete' && said === undefined) return { verb, ...title }
  const state = STATES.find((each) => each === said)
  return verb === 'state' && state ? { verb, state, ...title } : USAGE
})

await command(async () => {
  const asked = typed(read)
  await withDatabase(async ({ db }) => {
    if (asked.verb === 'delete') {
      for (const { title, format } of await deleteTitle(db, asked))
        console.log(`${title} (${WORDS[format]}) is deleted.`)
      return
    }
    for (const { title, format, lacks } of await setState(db, asked, asked.state))
      console.log(
        lacks.length > 0
          ? `${title} (${WORDS[format]}) is not on sale: ${lacks.join(', ')}.`
          : `${title} (${WORDS[format]}) is ${asked.state} now.`,
      )
  })
})
