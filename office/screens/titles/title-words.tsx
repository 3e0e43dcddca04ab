import type { ListedTitle, TitleState } from '#contract/office/titles.ts'
import { State, type StateKind } from '../../ui/State.tsx'
import { until } from '../../ui/when.ts'

export const FORMAT_WORDS = { audio_book: 'Audiobook', e_book: 'E-book' } as const

export const STATE_WORDS: Readonly<
  Record<TitleState, { readonly kind: StateKind; readonly words: string; readonly means: string }>
> = {
  'on-sale': { kind: 'on', words: 'On sale', means: 'can be bought' },
  'not-on-sale': { kind: 'look', words: 'Not finished', means: 'meant to be on sale, and lacks something' },
  draft: { kind: 'draft', words: 'Draft', means: 'seen by nobody' },
  listed: { kind: 'half', words: 'Listed', means: 'has its page and is in lists, and isn’t sold' },
  retired: { kind: 'retired', words: 'Retired', means: 'in no list and not sold; its owners keep it' },
}

const LACKS = {
  price: 'no price',
  sound: 'no sound',
  text: 'no text',
  cover: 'no cover',
  description: 'no description',
  author: 'no author',
} as const

export const lackWords = (missing: ListedTitle['missing']): string =>
  missing.map((part) => LACKS[part]).join(', ')

export function TitleStateMark({
  state,
  missing,
  preorder,
}: Pick<ListedTitle, 'state' | 'missing' | 'preorder'>) {
  const { kind, words } = STATE_WORDS[state]
  const held = missing.filter((part) => part === 'price' || part === 'sound' || part === 'text')
  const more =
    state === 'draft'
      ? missing.length > 0
        ? `, ${missing.length} missing`
        : ''
      : state === 'not-on-sale'
        ? preorder && !held.includes('price')
          ? `, ${until(preorder)}`
          : `, ${held.length > 0 ? lackWords(held) : 'embargoed'}`
        : ''
  return (
    <State kind={state === 'not-on-sale' && preorder ? 'later' : kind}>
      {state === 'not-on-sale' && preorder ? 'Announced' : words}
      {more}
    </State>
  )
}
