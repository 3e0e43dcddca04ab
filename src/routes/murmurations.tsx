import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ItemList } from '#features/editorial/ItemList.tsx'
import { itemIn } from '#features/editorial/model.ts'
import { murmurationsQuery, typesQuery } from '#features/editorial/queries.ts'
import { Chip } from '#ui/Chip.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { LoadMore } from './-LoadMore.tsx'
import styles from './-Murmurations.module.css'
import { PageTop } from './-PageTop.tsx'
import { useEndless } from './-use-endless.ts'

/** What the address may ask for, whatever somebody wrote into it: ids that there can be, each once. */
const typesIn = (value: unknown): number[] =>
  [
    ...new Set(
      String(value ?? '')
        .split(',')
        .map(Number),
    ),
  ]
    .filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647)
    .slice(0, 50)

export const Route = createFileRoute('/murmurations')({
  loaderDeps: ({ search }: { search: { types?: unknown } }) => ({ types: typesIn(search.types) }),
  loader: async ({ context: { queryClient }, deps: { types } }) => {
    await Promise.all([
      queryClient.ensureInfiniteQueryData(murmurationsQuery(types)),
      queryClient.ensureQueryData(typesQuery()),
    ])
  },
  component: MurmurationsScreen,
})

function MurmurationsScreen() {
  const { types } = Route.useLoaderDeps()
  const navigate = Route.useNavigate()
  const { data: options } = useSuspenseQuery(typesQuery())
  const query = useInfiniteQuery(murmurationsQuery(types))
  const items =
    query.data?.pages.flatMap((page) => page['hydra:member'].flatMap((each) => itemIn(each) ?? [])) ?? []
  const end = useEndless(query, 300)

  const choose = (id: number) => {
    const next = types.includes(id)
      ? types.filter((other) => other !== id)
      : [...types, id].sort((a, b) => a - b)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a search is an address, read as one where it leads
    void navigate({ search: (next.length > 0 ? { types: next.join(',') } : {}) as never, resetScroll: false })
  }
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Murmurations"
        description="The shop’s journal: articles, podcasts and events, newest first."
        canonical="/murmurations"
      />
      <PageTop title="Murmurations" lead="The shop’s journal: things written, recorded and said aloud.">
        <div className={styles.types} role="group" aria-label="Type">
          {options.map(({ id, title }) => (
            <Chip key={id} pressed={types.includes(id)} onClick={() => choose(id)}>
              {title}
            </Chip>
          ))}
        </div>
      </PageTop>
      {query.data && items.length === 0 ? <Empty title="Nothing here yet." /> : <ItemList items={items} />}
      <div ref={end}>
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
