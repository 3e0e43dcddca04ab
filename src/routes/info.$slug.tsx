import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { firstWords } from '#format/plain-text.ts'
import { Prose } from '#features/pages/Prose.tsx'
import { infoPageQuery } from '#features/pages/queries.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/info/$slug')({
  beforeLoad: ({ params }) => {
    if (params.slug === 'contact-support')
      throw redirect({ to: '/info/$slug', params: { slug: 'support' }, statusCode: 301 })
  },
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if ((await queryClient.ensureQueryData(infoPageQuery(slug))) === null) throw notFound()
  },
  component: () => <InfoScreen slug={Route.useParams().slug} />,
})

function InfoScreen({ slug }: { slug: string }) {
  const { data: page } = useSuspenseQuery(infoPageQuery(slug))
  if (!page) return null
  return (
    <Wrap className={styles.page}>
      <PageHead title={page.title} description={firstWords(page.content)} canonical={`/info/${slug}`} />
      <PageTop title={page.title} />
      <div className={styles.body}>
        <Prose html={page.content} />
      </div>
    </Wrap>
  )
}
