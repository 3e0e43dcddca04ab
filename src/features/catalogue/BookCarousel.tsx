import type { ReactNode } from 'react'
import type { BookCard as Book } from '#contract/catalogue.ts'
import { Carousel } from '#ui/Carousel.tsx'
import { CAROUSEL_SIZES } from '#ui/Cover.tsx'
import { BookCard } from './BookCard.tsx'

interface BookCarouselProps {
  title: string
  books: readonly Book[]
  more?: ReactNode
  insteadOfPrice?: string | undefined
}

export function BookCarousel({ title, books, more, insteadOfPrice }: BookCarouselProps) {
  if (books.length === 0) return null
  return (
    <Carousel title={title} more={more}>
      {books.map((book) => (
        <BookCard
          key={`${book.entityType}-${book.id}`}
          {...{ book, insteadOfPrice }}
          sizes={CAROUSEL_SIZES}
        />
      ))}
    </Carousel>
  )
}
