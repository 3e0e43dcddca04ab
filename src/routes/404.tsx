import { createFileRoute, notFound } from '@tanstack/react-router'

export const Route = createFileRoute('/404')({
  // The not-found page has an address of its own, and answers 404 there too.
  loader: () => {
    throw notFound()
  },
})
