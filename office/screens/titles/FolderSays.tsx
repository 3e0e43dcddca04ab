import type { EditedBook } from '#contract/office/titles.ts'
import { amount } from '#format/money.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { TextButton } from '../../ui/Button.tsx'
import { valueWords } from './title-form.ts'
import { STATE_WORDS } from './title-words.tsx'

interface FolderSaysProps {
  readonly slug: string
  readonly book: EditedBook
  readonly field: string
  /** In place of “Changed here”. */
  readonly what?: string
}

/** “Changed here. The folder says £8.99. Use the folder’s” */
export function FolderSays({ slug, book, field, what }: FolderSaysProps) {
  const mayChange = useMay()('titles.change')
  const follow = useAct(
    () =>
      officeCall('POST /api/office/titles/{slug}/follow', {
        params: { slug },
        body: what === undefined ? { field } : { field, format: book.format },
      }),
    { changes: [['title', slug], ['titles']], done: (reply) => `${reply.what}.` },
  )
  const isOwn = field === 'state' ? book.isStateSetHere : book.setByOwner.includes(field)
  if (!isOwn) return null
  const said = saidWords(book, field)
  const source = book.isOfCatalogue ? 'catalogue' : 'folder'
  return (
    <p className="hint folder-says">
      {what === undefined ? 'Changed here.' : `${what} was changed here.`}{' '}
      {said === undefined ? `No import changes it.` : `The ${source} says ${said}.`}{' '}
      {mayChange && (
        <TextButton aria-disabled={follow.busy} onClick={() => void follow.write()}>
          Use the {source}’s
        </TextButton>
      )}
    </p>
  )
}

function saidWords(book: EditedBook, field: string): string | undefined {
  if (field === 'state') {
    const known = Object.entries(STATE_WORDS).find(([state]) => state === book.sourceState)
    return known?.[1].words.toLowerCase()
  }
  const value = book.sourceSays[field]
  if (value === undefined) return undefined
  if (field === 'price') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the server stores a price
    const { priceMinor } = value as { readonly priceMinor: number }
    return amount(priceMinor)
  }
  if (field === 'cover' || field === 'file') return 'another one'
  if (field === 'chapters' && typeof value === 'number')
    return value === 1 ? 'one chapter' : `${value} chapters`
  return valueWords(field, value)
}
