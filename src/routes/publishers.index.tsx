import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { firstSentence } from '#contract/calculations/plain-text.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { publishersPageQuery } from '#features/catalogue/queries.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { plural } from '#format/plural.ts'
import { Band } from '#ui/Band.tsx'
import { buttonClass } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { contrastOf, isDark, type TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import shelf from './-catalogue/catalogue.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/publishers/')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(publishersPageQuery()),
  component: PublishersScreen,
})

function PublishersScreen() {
  const publishers = usePublishers()
  return (
    <>
      <PageHead
        title="Publishers"
        description="The small presses whose books we sell, and what each of them is for."
        canonical="/publishers"
      />
      <Wrap className={shelf.bandsTop}>
        <PageTop title="Publishers" lead="Small presses, most of them. Each has its own ear." />
      </Wrap>
      <ul role="list">
        {inTones(publishers).map(({ publisher, theme }) => (
          <PublisherRow key={publisher.id} publisher={publisher} theme={theme} />
        ))}
      </ul>
    </>
  )
}

/** Without books there are no colours. */
const PAPER: TitleTheme = {
  '--title-bg': 'var(--paper)',
  '--title-container': 'var(--sunken)',
  '--title-text': 'var(--ink)',
  '--title-muted': 'var(--ink-2)',
}

const NONE: NonNullable<Publisher['newest']> = []

type Publisher = ReturnType<typeof usePublishers>[number]

interface PublisherRowProps {
  publisher: Publisher
  theme: TitleTheme
}

/**
 * Each in the colours of one of its newest books: of those that don't let dark follow dark, or light follow light, the
 * deepest or palest, because a band as wide as the window is louder than a cover.
 */
function inTones(publishers: readonly Publisher[]): PublisherRowProps[] {
  const rows: PublisherRowProps[] = []
  for (const publisher of publishers) {
    const themes = (publisher.newest ?? []).map((book) => themeOf(book)).sort((a, b) => calm(b) - calm(a))
    const above = rows.at(-1)
    const other = above && themes.find((theme) => isDark(theme) !== isDark(above.theme))
    rows.push({ publisher, theme: other ?? themes[0] ?? PAPER })
  }
  return rows
}

const MID_GREY = '#777777'
const calm = (theme: TitleTheme) => contrastOf(theme['--title-bg'], MID_GREY)

function PublisherRow({
  publisher: { slug, name, about, titles = 0, newest = NONE },
  theme,
}: PublisherRowProps) {
  const heard = newest.find(({ sample }) => sample)
  return (
    <Band as="li" theme={theme}>
      <Wrap className={cx(shelf.publisher, newest.length === 0 && shelf.noBooks)}>
        <div>
          <Display as="h2" size="md">
            <Link to="/publishers/$slug" params={{ slug }}>
              {name}
            </Link>
          </Display>
          {titles > 0 && <p className={shelf.small}>{plural(titles, 'book')}</p>}
          {about && <p className={shelf.words}>{firstSentence(about)}</p>}
          <div className={shelf.ways}>
            {heard && (
              <SampleButton
                book={heard}
                words={heard === newest[0] ? 'Hear the newest' : 'Hear one of them'}
              />
            )}
            {newest.length > 0 && (
              <Link
                to="/publishers/$slug"
                params={{ slug }}
                className={buttonClass({ look: 'text', tone: 'title' })}
                aria-label={`See their books: ${name}`}
              >
                See their books
              </Link>
            )}
          </div>
        </div>
        {newest.length === 0 && <p className={shelf.awaited}>Their first book is on its way.</p>}
        {newest.length > 0 && (
          <ul role="list" className={shelf.newest}>
            {newest.map((book) => (
              <li key={`${book.entityType}-${book.id}`}>
                <Link {...linkTo(book)} aria-label={book.title}>
                  <Cover picture={coverOf(book)} alt="" sizes="(min-width: 900px) 180px, 30vw" lift />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Wrap>
    </Band>
  )
}

const usePublishers = () => useSuspenseQuery(publishersPageQuery()).data['hydra:member']
