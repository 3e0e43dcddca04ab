import { DotsSixVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsSixVertical'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { ChosenTitle } from '#contract/office/documents.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import { moved, useReorder } from '../list/use-reorder.ts'
import { officeCall } from '../net/office-call.ts'
import { IconButton } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import './documents.css'

/** What these titles are called and look like, in their order. */
export function useTitles(slugs: readonly string[]): readonly ChosenTitle[] {
  const { data } = useQuery({
    queryKey: ['choices', 'titles', slugs],
    queryFn: () => officeCall('GET /api/office/choices/titles', { query: { slugs: [...slugs] } }),
    enabled: slugs.length > 0,
    placeholderData: keepPreviousData,
  })
  const known = new Map(data?.titles.map((title) => [title.slug, title]))
  return slugs.map(
    (slug) =>
      known.get(slug) ?? {
        slug,
        title: slug,
        by: '',
        words: '',
        wordsBy: '',
        coverId: null,
        background: null,
        ink: null,
      },
  )
}

interface TitlePickerProps {
  readonly label: string
  /** The rank of its heading: below a page, or in a drawer. */
  readonly heading?: 'h2' | 'h3'
  readonly slugs: readonly string[]
  /** @param added the title that was chosen */
  readonly onChange: (slugs: string[], added?: ChosenTitle) => void
  readonly most?: number
  /** Also offers e-books that are no audiobook. */
  readonly withEBooks?: boolean
  /** What else can be said about a title, in its row. */
  readonly below?: (title: ChosenTitle, index: number) => ReactNode
  /** The name of a row, for what keeps a document from being published. */
  readonly fieldOf?: (index: number) => string
}

/** Titles in an order, with a search to add one. */
export function TitlePicker({
  label,
  slugs,
  onChange,
  most = 200,
  withEBooks = false,
  below,
  fieldOf,
  heading: Heading = 'h3',
}: TitlePickerProps) {
  const titles = useTitles(slugs)
  const [words, setWords] = useState('')
  const listId = useId()
  const found = useQuery({
    queryKey: ['choices', 'titles', 'words', words, withEBooks],
    queryFn: () =>
      officeCall('GET /api/office/choices/titles', { query: { words, ...(withEBooks && { ebooks: true }) } }),
    enabled: words.trim().length > 1,
    placeholderData: keepPreviousData,
  })
  const { list, moving, grip } = useReorder<HTMLUListElement>({
    count: slugs.length,
    nameOf: (index) => titles[index]?.title ?? '',
    onMove: (from, to) => onChange(moved(slugs, from, to)),
  })
  const offered =
    words.trim().length > 1 ? (found.data?.titles.filter(({ slug }) => !slugs.includes(slug)) ?? []) : []
  return (
    <section className="title-picker" aria-labelledby={listId}>
      <Heading id={listId}>{label}</Heading>
      <ul ref={list} className="reorder">
        {titles.map(({ slug, title, coverId, background }, index) => (
          <li key={slug} className={cx(moving === index && 'is-moving')} data-field={fieldOf?.(index)}>
            <button {...grip(index)}>
              <Icon of={DotsSixVerticalIcon} size={18} />
            </button>
            <Thumb coverId={coverId} background={background} />
            <span className="fill">{title}</span>
            <IconButton
              label={`Take out ${title}`}
              of={XIcon}
              size={18}
              onClick={() => onChange(slugs.filter((each) => each !== slug))}
            />
            {below?.(titles[index]!, index)}
          </li>
        ))}
      </ul>
      {slugs.length < most && (
        <Field
          label="Add a title"
          type="search"
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {offered.length > 0 && (
        <ul className="title-offers">
          {offered.map((offer) => (
            <li key={offer.slug}>
              <button
                type="button"
                onClick={() => {
                  onChange([...slugs, offer.slug], offer)
                  setWords('')
                }}
              >
                <b>{offer.title}</b> <span className="muted">{offer.by}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {words.trim().length > 1 && found.data && offered.length === 0 && (
        <p className="hint">{withEBooks ? 'No title like that.' : 'No audiobook like that.'}</p>
      )}
    </section>
  )
}

export const coverAddress = (coverId: string, size: '330' | '900' | 'thumb'): string =>
  `/media/covers/${coverId.slice(0, 2)}/${coverId}-${size}.webp`

export const Thumb = ({ coverId, background }: Pick<ChosenTitle, 'coverId' | 'background'>) => (
  <span className="thumb" style={{ background: background ?? undefined }}>
    {coverId && <img src={coverAddress(coverId, 'thumb')} alt="" width={28} height={28} loading="lazy" />}
  </span>
)
