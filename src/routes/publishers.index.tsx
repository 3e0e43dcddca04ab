import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { PublisherCard } from '#features/catalogue/BookCards.tsx'
import { publishersPageQuery } from '#features/catalogue/queries.ts'
import { Wrap } from '#ui/Wrap.tsx'
import shelf from './-catalogue/catalogue.module.css'
import styles from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/publishers/')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(publishersPageQuery()),
  component: PublishersScreen,
})

function PublishersScreen() {
  const { data } = useSuspenseQuery(publishersPageQuery())
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Publishers"
        description="The small presses whose books we sell, and what each of them is for."
        canonical="/publishers"
      />
      <PageTop title="Publishers" lead="Small presses, most of them. Each has its own ear." />
      <ul role="list" className={shelf.grid}>
        {data['hydra:member'].map((publisher) => (
          <li key={publisher.id}>
            <PublisherCard publisher={publisher} level="h2" />
          </li>
        ))}
      </ul>
    </Wrap>
  )
}
