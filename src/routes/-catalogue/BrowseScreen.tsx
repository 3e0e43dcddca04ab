import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PAGE_SIZE } from '#contract/limits.ts'
import { BookCarousel } from '#features/catalogue/BookCarousel.tsx'
import { PublisherCard } from '#features/catalogue/PublisherCard.tsx'
import {
  browseQuery,
  categoriesQuery,
  publishersPageQuery,
  stylesQuery,
} from '#features/catalogue/queries.ts'
import { StyleButtons } from '#features/catalogue/StyleButtons.tsx'
import { AppBlock } from '#features/home/AppBlock.tsx'
import { homepageQuery } from '#features/home/queries.ts'
import { firstShelf, has } from '#features/shop-details/shop.ts'
import { Carousel } from '#ui/Carousel.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { MoreLink } from '../-layout/MoreLink.tsx'
import { PageTop } from '../-layout/PageTop.tsx'
import { Sections } from '../-layout/Sections.tsx'
import { sectionsHere } from './browse-sections.ts'
import { themedSearch, themedSearchOf } from '#features/catalogue/themed-search.ts'
import { useAskedSearch } from '../-layout/use-asked-search.ts'

const stylesAsked = (search: Readonly<Record<string, unknown>>) => themedSearch(search).styles

/** Every shelf of the shop, one below the other; `styles` narrows them all. */
export function BrowseScreen({ styles }: { styles: readonly number[] }) {
  const asked = useAskedSearch('/browse', styles, stylesAsked)
  const navigate = useNavigate()
  const { data: styleList } = useSuspenseQuery(stylesQuery())
  const { data: categoryList } = useSuspenseQuery(categoriesQuery())
  const { data: publisherList } = useSuspenseQuery(publishersPageQuery())
  const { data: home } = useSuspenseQuery(homepageQuery())
  const categories = categoryList['hydra:member'].filter(({ visible }) => visible)
  const shelf = firstShelf().to
  const here = sectionsHere()
  const sections = useSuspenseQueries({
    queries: here.map(({ mark }) => browseQuery({ ...mark, styles })),
  })
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
