import { createFileRoute, notFound } from '@tanstack/react-router'

export const Route = createFileRoute('/404')({
  // The not-found page has an address of its own, and is not found there either: the status is 404.
  loader: () => {
    throw notFound()
  },
})
