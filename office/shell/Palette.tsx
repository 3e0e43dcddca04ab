import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { ArrowRightIcon } from '@phosphor-icons/react/dist/csr/ArrowRight'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import type { Icon as Glyph } from '@phosphor-icons/react/dist/lib/types'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CardholderIcon } from '@phosphor-icons/react/dist/csr/Cardholder'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { TagIcon } from '@phosphor-icons/react/dist/csr/Tag'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Role, roleMay } from '#contract/office/permissions.ts'
import { amount } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import { useMe } from '../net/me.ts'
import { officeCall } from '../net/office-call.ts'
import { ACTIONS, type Action } from './actions.ts'
import { placesFor } from './places.ts'

interface Found {
  readonly id: string
  readonly title: string
  readonly note?: string
  readonly icon: Glyph
  /** An address inside the office. */
  readonly to: string
}

interface Group {
  readonly value: string
  readonly items: readonly Found[]
}

const GROUPS = ['Exactly this', 'Places', 'Orders', 'People', 'Titles', 'Do']

/** Ctrl K: goes to a place, a thing or something to do. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { role } = useMe()
  const navigate = useNavigate()
  const router = useRouter()
  const [words, setWords] = useState('')
  const groups = [...commandGroups(role, words), ...useFound(words)].toSorted(
    (a, b) => GROUPS.indexOf(a.value) - GROUPS.indexOf(b.value),
  )

  const open = ({ to }: Found, isNewTab: boolean) => {
    onClose()
    if (isNewTab) window.open(router.history.createHref(`/office${to}`), '_blank', 'noopener')
    else void navigate({ href: to })
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette" aria-label="Search the office">
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            value={words}
            onValueChange={setWords}
            itemToStringValue={(found: Found) => found.title}
          >
            <div className="palette-input">
              <Icon of={MagnifyingGlassIcon} size={20} />
              <Autocomplete.Input
                aria-label="Search the office"
                placeholder="A number, a name, an address, a title, a code; a place; something to do"
              />
              <kbd>Esc</kbd>
            </div>
            <Autocomplete.Empty>
              {words.trim() && <p className="palette-none">Nothing is called “{words.trim()}”.</p>}
            </Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="palette-group">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(found: Found) => (
                      <Autocomplete.Item
                        key={found.id}
                        value={found}
                        className="palette-item"
                        onClick={(event) => open(found, event.ctrlKey || event.metaKey)}
                      >
                        <Icon of={found.icon} size={18} />
                        <span className="palette-words">
                          <b>
                            <Marked text={found.title} words={words} />
                          </b>
                        </span>
                        {found.note && <span className="muted small palette-note">{found.note}</span>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <p className="palette-foot wide-only">
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> move
            </span>
            <span>
              <kbd>Enter</kbd> open
            </span>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const TYPING_MS = 200
const SHORTEST = 2

/** Orders, people and titles by what is typed, and what has exactly this code or number. */
function useFound(words: string): Group[] {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
  const { data } = useQuery({
    queryKey: ['found', asked],
    queryFn: () => officeCall('POST /api/office/search', { body: { words: asked } }),
    enabled: asked.length >= SHORTEST,
  })
  if (asked !== words.trim() || !data) return []
  const persons = data.people.map(({ id, name, email, plan }) => ({
    isExact: email.toLowerCase() === asked.toLowerCase(),
    id,
    title: name,
    note: [email, plan].filter(Boolean).join(', '),
    icon: UserIcon,
    to: `/people/${id}`,
  }))
  const books = data.titles.map(({ slug, title, authors, format, isbn }) => ({
    isExact: [title.toLowerCase(), slug, isbn].includes(asked.toLowerCase()),
    id: `title ${slug}`,
    title,
    note: [authors, format === 'e_book' && 'e-book'].filter(Boolean).join(', '),
    icon: BooksIcon,
    to: `/titles/${slug}`,
  }))
  const { titleCount } = data
  const groups: Group[] = [
    {
      value: 'Exactly this',
      items: [
        ...persons.filter(({ isExact }) => isExact),
        ...books.filter(({ isExact }) => isExact),
        ...data.found.map(({ kind, title, note, to }) => ({
          id: `${kind} ${title}`,
          title,
          note,
          icon: EXACT[kind],
          to,
        })),
      ],
    },
    {
      value: 'Orders',
      items: data.orders.map(({ number, buyer, titles, totalMinor }) => ({
        id: number,
        title: [number, buyer].filter(Boolean).join(' '),
        note: `${titles}, ${amount(totalMinor)}`,
        icon: ReceiptIcon,
        to: `/orders/${number}`,
      })),
    },
    {
      value: 'People',
      items: persons.filter(({ isExact }) => !isExact),
    },
    {
      value: 'Titles',
      items: [
        ...books.filter(({ isExact }) => !isExact),
        ...(titleCount > books.length
          ? [
              {
                id: 'all titles',
                title: `All ${titleCount.toLocaleString('en-GB')} titles with “${asked}”`,
                icon: BooksIcon,
                to: `/titles?words=${encodeURIComponent(asked)}`,
              },
            ]
          : []),
      ],
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

const EXACT = { code: TagIcon, card: CardholderIcon, gift: GiftIcon } as const

function commandGroups(role: Role, words: string): Group[] {
  const places = placesFor(role).map(({ to, name, icon, words: more }) => ({
    found: { id: to, title: name, icon, to },
    more,
  }))
  const actions = ACTIONS.filter(({ may }) => may === null || roleMay(role, may)).map(
    ({ to, title, icon, words: more }: Action) => ({
      found: { id: `do ${to}`, title, icon: icon ?? ArrowRightIcon, to },
      more,
    }),
  )
  return [
    { value: 'Places', items: matching(places, words) },
    { value: 'Do', items: matching(actions, words) },
  ].filter(({ items }) => items.length > 0)
}

/** Each typed word must match the beginning of a word in the name or in the keywords. */
function matching(
  all: readonly { readonly found: Found; readonly more?: string | undefined }[],
  words: string,
): Found[] {
  const typed = words.toLowerCase().split(/\s+/).filter(Boolean)
  return all
    .filter(({ found, more = '' }) => {
      const own = `${found.title} ${more}`.toLowerCase().split(/\s+/)
      return typed.every((word) => own.some((each) => each.startsWith(word)))
    })
    .map(({ found }) => found)
}

/** The part that matches, underlined. */
export function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const at = words.trim() ? text.toLowerCase().indexOf(words.trim().toLowerCase()) : -1
  if (at < 0) return text
  const end = at + words.trim().length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
