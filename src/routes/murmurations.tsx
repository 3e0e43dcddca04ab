import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { ItemList } from '#features/editorial/ItemList.tsx'
import { itemIn } from '#features/editorial/model.ts'
import { murmurationsQuery, typesQuery } from '#features/editorial/queries.ts'
import { shop } from '#features/shop-details/shop.ts'
import { idsIn } from '#format/address.ts'
import { Chip } from '#ui/Chip.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { playItem } from './-editorial/EditorialParts.tsx'
import styles from './-editorial/editorial.module.css'
import layout from './-layout/layout.module.css'
import { LoadMore, useEndless } from './-layout/LoadMore.tsx'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/murmurations')({
  validateSearch: (search): { types?: readonly number[] } => ({ types: idsIn(search.types).slice(0, 50) }),
  loaderDeps: ({ search: { types = [] } }) => ({ types }),
  loader: async ({ context: { queryClient }, deps: { types } }) => {
    await Promise.all([
      queryClient.ensureInfiniteQueryData(murmurationsQuery(types)),
      queryClient.ensureQueryData(typesQuery()),
    ])
  },
  component: () => <MurmurationsScreen types={Route.useLoaderDeps().types} />,
})

/** @param types ids of the chosen kinds; all if empty */
function MurmurationsScreen({ types }: { types: readonly number[] }) {
  const navigate = useNavigate()
  const { data: options } = useSuspenseQuery(typesQuery())
  const query = useInfiniteQuery(murmurationsQuery(types))
  const items =
    query.data?.pages.flatMap((page) => page['hydra:member'].flatMap((each) => itemIn(each) ?? [])) ?? []
  const end = useEndless(query, 300)

  const choose = (id: number) => {
    const next = types.includes(id) ? types.filter((other) => other !== id) : [...types, id]
    void navigate({ to: '/murmurations', search: { types: next }, resetScroll: false })
  }
  return (
    <Wrap className={styles.page}>
      <PageHead
        title={shop().journal}
        description="The shop’s journal: articles, podcasts and events, newest first."
        canonical="/murmurations"
      />
      <PageTop title={shop().journal} lead="The shop’s journal: things written, recorded and said aloud.">
        <div className={styles.types} role="group" aria-label="Type">
          {options.map(({ id, title }) => (
            <Chip key={id} pressed={types.includes(id)} onClick={() => choose(id)}>
              {title}
            </Chip>
          ))}
        </div>
      </PageTop>
      {query.data && items.length === 0 ? (
        <Empty title="Nothing here yet." />
      ) : (
        <ItemList items={items} play={playItem} />
      )}
      <div ref={end} className={layout.endless}>
        <LoadMore
          more={query.hasNextPage}
          busy={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onPress={() => void query.fetchNextPage()}
        />
      </div>
    </Wrap>
  )
}
