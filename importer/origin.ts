import { relative, resolve, sep } from 'node:path'

/** Separates the imported folder from a title's path in it, as rsync does. The whole remains a valid path. */
const BORDER = '/./'

/** `/srv/books/./Imogen Tarrant/01 - The Salt Ledger` */
export const originOf = (root: string, folder: string): string =>
  `${resolve(root)}${BORDER}${pathBelow(root, folder)}`

export const pathBelow = (root: string, folder: string): string => relative(root, folder).split(sep).join('/')

export const isSameFolder = (one: string, two: string): boolean => resolve(one) === resolve(two)

export const placeIn = (origin: string): string => origin.slice(origin.indexOf(BORDER) + BORDER.length)

/** True for the same place in two copies of a library. */
export const isSamePlace = (one: string, two: string): boolean => placeIn(one) === placeIn(two)
