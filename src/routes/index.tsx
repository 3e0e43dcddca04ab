import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/')({
  component: () => (
    <>
      <title>Home | Murmur</title>
      <h1>Good books, said softly.</h1>
    </>
  ),
})
