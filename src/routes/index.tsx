import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import type { StaffPick } from '#contract/home.ts'
import { coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { Intro } from '#features/home/Intro.tsx'
import { PickedBook } from '#features/home/PickedBook.tsx'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { sectionsOf } from '#features/home/sections.ts'
import { StaffPicks } from '#features/home/StaffPicks.tsx'
import { Cover } from '#ui/Cover.tsx'
import { later } from '#ui/later.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { shopThing } from '../app/structured-data.ts'
import { useStructuredData } from '../app/use-structured-data.ts'
import { HomePanels as PanelsNow } from './-HomePanels.later.tsx'
import { IntroActions, useIntroText } from './-IntroActions.tsx'

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(homepageQuery()),
      queryClient.ensureQueryData(staffPicksQuery()),
    ])
  },
  component: HomeScreen,
})

const HomePanels = later(
  import.meta.env.SSR ? PanelsNow : undefined,
  async () => (await import('./-HomePanels.later.tsx')).HomePanels,
)

function HomeScreen() {
  const { data: home } = useSuspenseQuery(homepageQuery())
  const { data: picks } = useSuspenseQuery(staffPicksQuery())
  useStructuredData(import.meta.env.SSR && ((origin) => [shopThing(origin)]))
  const text = useIntroText(home?.introText)
  const sections = home ? sectionsOf(home) : []
  const intro = sections.findIndex(({ section }) => section === 'curatedIntroPicks')
  const shown = picks.filter(({ audioBook }) => audioBook !== null)
  return (
    <>
      <PageHead
        title="Good books, said softly"
        description="Literary audiobooks and e-books, chosen by people who finish them. Yours to keep, wherever you listen."
        canonical="/"
      />
      {home && <HomePanels home={home} sections={sections.slice(0, Math.max(0, intro))} />}
      {intro >= 0 && (
        <Intro
          text={text}
          actions={<IntroActions />}
          pick={
            shown.length > 0 && (
              <StaffPicks
                picks={shown.map((pick) => (
                  <Pick key={pick['@id']} pick={pick} />
                ))}
              />
            )
          }
        />
      )}
      {home && <HomePanels home={home} sections={sections.slice(intro + 1)} />}
    </>
  )
}

function Pick({ pick }: { pick: StaffPick }) {
  const book = pick.audioBook
  if (!book) return null
  return (
    <PickedBook
      theme={themeOf(book)}
      label={pick.title}
      cover={
        <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 250px, 132px" hero />
      }
      title={<Link {...linkTo(book)}>{book.title}</Link>}
      words={pick.description}
      by={pick.author}
    />
  )
}
