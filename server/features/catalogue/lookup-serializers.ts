import type { CategoryRow, NationalityRow, PublisherRow, TitledRow } from './lookup-queries.ts'

export const styleItem = ({ id, title }: TitledRow) => ({
  '@id': `/api/styles/${id}`,
  '@type': 'Style' as const,
  id,
  title,
})

export const locationItem = ({ id, title }: TitledRow) => ({
  '@id': `/api/locations/${id}`,
  '@type': 'Location' as const,
  id,
  title,
})

export const categoryItem = ({ id, name, visible, weight }: CategoryRow) => ({
  '@id': `/api/categories/${id}`,
  '@type': 'Category' as const,
  id,
  name,
  visible,
  weight,
})

export const nationalityItem = ({ id, title, audio_books: audioBooks, e_books: eBooks }: NationalityRow) => ({
  '@id': `/api/nationalities/${id}`,
  '@type': 'Nationality' as const,
  id,
  title,
  audioBooks,
  eBooks,
})

export const publisherItem = ({ id, name, slug, about, website }: PublisherRow) => ({
  '@id': `/api/publishers/${slug}`,
  '@type': 'Publisher' as const,
  id,
  name,
  slug,
  about,
  website,
})
