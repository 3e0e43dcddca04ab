import { createFileRoute, notFound } from '@tanstack/react-router'
import { loadPerson } from '#features/people/queries.ts'
import { PersonScreen } from './-people/PersonScreen.tsx'

export const Route = createFileRoute('/people/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if (!(await loadPerson(queryClient, slug))) throw notFound()
  },
  component: () => <PersonScreen slug={Route.useParams().slug} />,
})
