import { keepPreviousData, type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import styles from '#features/catalogue/books.module.css'
import { type Option, withOrWithout } from '#features/catalogue/filter-options.ts'
import { themedSearch, type ThemedSearch, themedSearchOf } from '#features/catalogue/filter.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { browseQuery, type BrowseSection, stylesQuery } from '#features/catalogue/queries.ts'
import { has, leadsSomewhere } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { Chip } from '#ui/Chip.tsx'
import { cx } from '#ui/cx.ts'
import { Empty } from '#ui/Empty.tsx'
import { usePresses, useShown } from '#ui/next-paint.ts'
import { Wrap } from '#ui/Wrap.tsx'
import layout from '../-layout/layout.module.css'
import { PageTop } from '../-layout/PageTop.tsx'
import { useAskedSearch } from '../-layout/use-asked-search.ts'
import shelf from './catalogue.module.css'

interface Theme {
  readonly title: string
  readonly lead: string
  readonly mark: Pick<BrowseSection, 'memoir' | 'writersDilemma' | 'availableAsCard'>
}

const THEMES = {
  '/astonishing-memoirs': {
    title: 'Astonishing memoirs',
    lead: 'Lives told by the people who were there, and who remember it differently.',
    mark: { memoir: true },
  },
  '/writers-dilemma': {
    title: 'Writer’s Dilemma',
    get lead() {
      return has('journal')
        ? 'Books from our podcast, where a writer has to choose and tells us why.'
        : 'A writer has to choose, and tells us why.'
    },
    mark: { writersDilemma: true },
  },
  '/audiobooks-in-a-card': {
    title: 'Audiobooks in a card',
    lead: 'Audiobooks you can wrap, from a bookshop: cards with a code on the back.',
    mark: { availableAsCard: true },
  },
} as const satisfies Record<string, Theme>

type ThemedPath = keyof typeof THEMES
const CARDS: ThemedPath = '/audiobooks-in-a-card'

export async function loadThemed(
  queryClient: QueryClient,
  path: ThemedPath,
  search: ThemedSearch,
): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(browseQuery({ ...THEMES[path].mark, ...search })),
    queryClient.ensureQueryData(stylesQuery()),
  ])
}

/** A list with one theme, and the style buttons of the browse screen (OP-05). */
export function ThemedScreen({ path, search: loaded }: { path: ThemedPath; search: ThemedSearch }) {
  const { title, lead, mark } = THEMES[path]
  const search = useAskedSearch(path, loaded, themedSearch)
  const navigate = useNavigate()
  const { data: styleList } = useSuspenseQuery(stylesQuery())
  const { data, isPlaceholderData } = useQuery({
    ...browseQuery({ ...mark, ...search }),
    placeholderData: keepPreviousData,
  })
  const books = data?.['hydra:member'] ?? []
  const total = data?.['hydra:totalItems'] ?? 0
  const options = styleList['hydra:member'].map((style) => ({ id: style.id, label: style.title }))
  return (
    <Wrap className={layout.page}>
      <PageHead title={title} description={lead} canonical={path} />
      <div className={shelf.themedTop}>
        <PageTop
          title={title}
          lead={path === CARDS ? <CardsLead total={total} /> : lead}
          wide={path === CARDS}
          aside={path !== CARDS && <p role="status">{plural(total, 'title')}</p>}
        >
          <StyleButtons
            options={options}
            chosen={search.styles}
            onChange={(chosen) =>
              void navigate({
                to: path,
                search: themedSearchOf({ ...search, styles: chosen, page: 1 }),
                resetScroll: false,
              })
            }
          />
        </PageTop>
      </div>
      <div className={layout.body}>
        {data && books.length === 0 ? (
          <Empty title={MESSAGES.noResultsListing} />
        ) : (
          <BookGrid books={books} waiting={isPlaceholderData} asCards={path === CARDS} />
        )}
      </div>
      <Pagination
        page={search.page}
        last={Math.ceil(total / search.itemsPerPage)}
        to={path}
        searchFor={(page) => themedSearchOf({ ...search, page })}
      />
    </Wrap>
  )
}

/**
 * The lead with the count and two links in it, because a phone's first screen has no room for other lines: to the
 * redemption of a card, and to the page that explains cards.
 */
const CardsLead = ({ total }: { total: number }) => (
  <span>
    <span role="status">{plural(total, 'title')}</span> to wrap, from a bookshop
    <span className={shelf.leadEnd}>: cards with a code on the back</span>.
    <span className={shelf.cardWays}>
      {leadsSomewhere('/redemption') && <Link to="/redemption/{-$spisin}/{-$step}">I’ve been given one</Link>}
      {leadsSomewhere('/info/audiobook-in-a-card') && (
        <Link to="/info/$slug" params={{ slug: 'audiobook-in-a-card' }}>
          How cards work
        </Link>
      )}
    </span>
  </span>
)

interface StyleButtonsProps {
  options: readonly Option[]
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
}

/** BROWSE-01. */
export function StyleButtons({ options, chosen, onChange }: StyleButtonsProps) {
  const presses = usePresses(chosen, onChange)
  const shown = useShown(chosen, presses)
  return (
    <div className={cx(styles.bar, styles.oneRow)} role="group" aria-label="Style">
      {options.map(({ id, label }) => (
        <Chip
          key={id}
          pressed={shown.includes(id)}
          onClick={() => presses.press((now) => withOrWithout(now, id))}
        >
          {label}
        </Chip>
      ))}
    </div>
  )
}
