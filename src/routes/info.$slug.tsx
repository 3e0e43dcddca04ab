import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { infoPageQuery } from '#features/pages/queries.ts'
import { InfoScreen } from './-pages/InfoScreen.tsx'

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
