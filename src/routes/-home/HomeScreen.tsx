import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { StaffPick } from '#contract/home.ts'
import { coverOf, linkTo, themeOf } from '#features/catalogue/model.ts'
import { Intro } from '#features/home/Intro.tsx'
import { PickedBook } from '#features/home/PickedBook.tsx'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { sectionsOf } from '#features/home/sections.ts'
import { StaffPicks } from '#features/home/StaffPicks.tsx'
import { Cover } from '#ui/Cover.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { shopJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import { IntroActions, useIntroText } from './IntroActions.tsx'

const HomePanels = lazyPart(() => import('./HomePanels.tsx'), 'HomePanels')

export function HomeScreen() {
  const { data: home } = useSuspenseQuery(homepageQuery())
  const { data: picks } = useSuspenseQuery(staffPicksQuery())
  useStructuredData(import.meta.env.SSR && ((origin) => [shopJsonLd(origin)]))
  const text = useIntroText(home?.introText)
  const sections = home ? sectionsOf(home) : []
  const introAt = sections.findIndex(({ section }) => section === 'curatedIntroPicks')
  const shown = picks.flatMap(({ audioBook, ...pick }) => (audioBook ? [{ ...pick, book: audioBook }] : []))
  if (!home || sections.length === 0)
    return (
      <Suspense>
        <HomePanels home={null} />
      </Suspense>
    )
  const intro = sections[introAt]
  const heading = intro?.title.replace(/\.$/, '')
  const name = !heading || heading === shop().name ? 'Home' : heading
  return (
    <>
      <PageHead title={name} description={home.introText.visitor} canonical="/" />
      {!intro && (
        <h1>
          <VisuallyHidden>{name}</VisuallyHidden>
        </h1>
      )}
      <Suspense>
        <HomePanels home={home} sections={sections.slice(0, Math.max(0, introAt))} />
      </Suspense>
      {intro && (
        <Intro
          title={intro.title}
          italic={intro.italic}
          text={text}
          actions={<IntroActions />}
          pick={
            shown.length > 0 && (
              <StaffPicks
                picks={shown.map(({ book, ...pick }) => ({
                  theme: themeOf(book),
                  node: <Pick key={pick['@id']} pick={pick} book={book} />,
                }))}
              />
            )
          }
        />
      )}
      <Suspense>
        <HomePanels home={home} sections={sections.slice(introAt + 1)} />
      </Suspense>
    </>
  )
}

function Pick({ pick, book }: { pick: Omit<StaffPick, 'audioBook'>; book: AudioBookCard }) {
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
