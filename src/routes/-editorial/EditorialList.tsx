import { useInfiniteQuery } from '@tanstack/react-query'
import type { EditorialCard } from '#contract/editorial.ts'
import { ItemList } from '#features/editorial/ItemList.tsx'
import { type EditorialKind, KIND_WORDS } from '#features/editorial/model.ts'
import { itemsQuery } from '#features/editorial/queries.ts'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { playItem } from './EditorialParts.tsx'
import { LoadMore } from '../-layout/LoadMore.tsx'
import styles from '../-layout/layout.module.css'
import { PageTop } from '../-layout/PageTop.tsx'

const feedOf = (kind: EditorialKind) =>
  kind === 'discussions'
    ? {}
    : {
        feed: {
          type: 'application/rss+xml',
          title: KIND_WORDS[kind].title,
          path: `/feeds/${kind}.xml`,
        } as const,
      }

/** EDIT-01. */
export function EditorialList({ kind }: { kind: EditorialKind }) {
  const query = useInfiniteQuery(itemsQuery(kind))
  const items = query.data?.pages.flatMap((page): EditorialCard[] => page['hydra:member']) ?? []
  const { title, lead } = KIND_WORDS[kind]
  return (
    <Wrap className={styles.page}>
      <PageHead title={title} description={lead} canonical={`/${kind}`} {...feedOf(kind)} />
      <PageTop title={title} lead={lead} />
      {query.data && items.length === 0 ? (
        <Empty title="Nothing here yet." />
      ) : (
        <ItemList items={items} play={playItem} />
      )}
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={() => void query.fetchNextPage()}
      />
    </Wrap>
  )
}
