import { type QueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { PAGE_SIZE } from '#contract/limits.ts'
import { BookCarousel, PublisherCard } from '#features/catalogue/BookCards.tsx'
import { themedAddress, themedSearch, themedSearchOf } from '#features/catalogue/filter.ts'
import { browseQuery, categoriesQuery, publishersQuery, stylesQuery } from '#features/catalogue/queries.ts'
import { StyleButtons } from './-catalogue/ThemedScreen.tsx'
import { AppBlock } from './-layout/AppBlock.tsx'
import { homepageQuery } from '#features/home/queries.ts'
import { firstShelf, has, openLinks } from '#features/shop-details/shop.ts'
import { Carousel } from '#ui/Carousel.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { MoreLink, PageTop, Sections } from './-layout/PageTop.tsx'
import { useAskedSearch } from './-layout/use-asked-search.ts'

export const Route = createFileRoute('/browse')({
  staticData: { frame: 'window' },
  validateSearch: themedAddress,
  loaderDeps: ({ search }) => ({ styles: themedSearch(search).styles }),
  loader: ({ context: { queryClient }, deps }) => loadBrowse(queryClient, deps.styles),
  component: BrowseScreen,
})

const stylesAsked = (search: Readonly<Record<string, unknown>>) => themedSearch(search).styles

/** Every list of the shop; `styles` narrows them all. */
function BrowseScreen() {
  const { styles } = Route.useLoaderDeps()
  const asked = useAskedSearch('/browse', styles, stylesAsked)
  const navigate = useNavigate()
  const { data: styleList } = useSuspenseQuery(stylesQuery())
  const { data: categoryList } = useSuspenseQuery(categoriesQuery())
  const { data: publisherList } = useSuspenseQuery(publishersQuery(PAGE_SIZE.publishers))
  const { data: home } = useSuspenseQuery(homepageQuery())
  const categories = categoryList['hydra:member'].filter(({ visible }) => visible)
  const shelf = firstShelf().to
  const here = sectionsHere()
  const sections = useSuspenseQueries({
    queries: here.map(({ mark }) => browseQuery({ ...mark, styles })),
  })
  const { data: inStep } = useSuspenseQuery(browseQuery({ inStep: true, styles }))
  const shelves = useSuspenseQueries({
    queries: categories.map(({ id }) => browseQuery({ category: id, styles })),
  })
  const styleSearch = themedSearchOf({ page: 1, itemsPerPage: PAGE_SIZE.collection, styles })
  return (
    <>
      <PageHead
        title="Browse"
        description={`Every shelf in the shop: ${has('editions') ? 'our editions, ' : ''}the collection, this month’s highlights, and each category in turn.`}
        canonical="/browse"
      />
      <Wrap>
        <PageTop title="Browse">
          <StyleButtons
            options={styleList['hydra:member'].map(({ id, title }) => ({ id, label: title }))}
            chosen={asked}
            onChange={(chosen) =>
              void navigate({
                to: '/browse',
                search: themedSearchOf({ page: 1, itemsPerPage: PAGE_SIZE.collection, styles: chosen }),
                resetScroll: false,
              })
            }
          />
        </PageTop>
      </Wrap>
      <Sections>
        {here.map(({ title, to, search }, index) => (
          <BookCarousel
            key={title}
            title={title}
            books={sections[index]?.data['hydra:member'] ?? []}
            more={
              <MoreLink to={to} search={to === shelf ? styleSearch : search}>
                View all
              </MoreLink>
            }
          />
        ))}
        <BookCarousel title="Read and listen in step" books={inStep['hydra:member']} />
        {categories.map(({ id, name }, index) => (
          <BookCarousel
            key={id}
            title={name}
            books={shelves[index]?.data['hydra:member'] ?? []}
            more={
              <MoreLink to={shelf} search={{ ...styleSearch, 'categories[]': String(id) }}>
                View all
              </MoreLink>
            }
          />
        ))}
        <Carousel title="Featured Publishers" more={<MoreLink to="/publishers">View all</MoreLink>}>
          {publisherList['hydra:member'].map((publisher) => (
            <PublisherCard key={publisher.id} publisher={publisher} />
          ))}
        </Carousel>
        <AppBlock appStoreLink={home?.appStoreLink ?? null} playStoreLink={home?.playStoreLink ?? null} />
      </Sections>
    </>
  )
}

/** Lists that aren't a category. */
const SECTIONS = [
  { title: 'Editions', mark: { edition: true }, to: '/editions', search: { _page: 1, itemsPerPage: 5 } },
  {
    title: 'Collection',
    mark: {},
    get to() {
      return firstShelf().to
    },
    search: {},
  },
  { title: 'Current Highlights', mark: { highlight: true }, to: '/subscriber-selection', search: {} },
] as const

const sectionsHere = () => openLinks(SECTIONS)

async function loadBrowse(queryClient: QueryClient, styles: readonly number[]): Promise<void> {
  const categories = await queryClient.ensureQueryData(categoriesQuery())
  await Promise.all([
    queryClient.ensureQueryData(stylesQuery()),
    queryClient.ensureQueryData(publishersQuery(PAGE_SIZE.publishers)),
    queryClient.ensureQueryData(homepageQuery()),
    queryClient.ensureQueryData(browseQuery({ inStep: true, styles })),
    ...sectionsHere().map(({ mark }) => queryClient.ensureQueryData(browseQuery({ ...mark, styles }))),
    ...categories['hydra:member']
      .filter(({ visible }) => visible)
      .map(({ id }) => queryClient.ensureQueryData(browseQuery({ category: id, styles }))),
  ])
}
