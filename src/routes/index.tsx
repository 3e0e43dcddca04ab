import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { StaffPick } from '#contract/home.ts'
import { coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { Intro } from '#features/home/Intro.tsx'
import { PickedBook } from '#features/home/PickedBook.tsx'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { sectionsOf } from '#features/home/sections.ts'
import { StaffPicks } from '#features/home/StaffPicks.tsx'
import { Cover } from '#ui/Cover.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { shopThing } from '../app/structured-data.ts'
import { StructuredData } from '../app/StructuredData.tsx'
import { homePanel } from './-home-panels.tsx'
import { IntroActions, useIntroText } from './-IntroActions.tsx'
import { Sections } from './-Sections.tsx'

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(homepageQuery()),
      queryClient.ensureQueryData(staffPicksQuery()),
    ])
  },
  component: HomeScreen,
})

function HomeScreen() {
  const { data: home } = useSuspenseQuery(homepageQuery())
  const { data: picks } = useSuspenseQuery(staffPicksQuery())
  const text = useIntroText(home?.introText)
  const shown = picks.filter(({ audioBook }) => audioBook !== null)
  return (
    <>
      <PageHead
        title="Good books, said softly"
        description="Literary audiobooks and e-books, chosen by people who finish them. Yours to keep, wherever you listen."
        canonical="/"
      />
      <StructuredData of={(origin) => [shopThing(origin)]} />
      {home &&
        sectionsOf(home).map(({ section, title }) => {
          if (section === 'curatedIntroPicks')
            return (
              <Intro
                key={section}
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
            )
          const panel = homePanel(section, title, home)
          if (!panel) return null
          return panel.band ? (
            <Fragment key={section}>{panel.node}</Fragment>
          ) : (
            <Sections key={section}>{panel.node}</Sections>
          )
        })}
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
