import { relative, resolve, sep } from 'node:path'

/** Between the folder that was imported and a title's path in it, as rsync writes it: one path, and still two parts. */
const BORDER = '/./'

/** The origin of a title, as the shop remembers it: `/srv/books/./Imogen Tarrant/01 - The Salt Ledger`. */
export const originOf = (root: string, folder: string): string =>
  `${resolve(root)}${BORDER}${pathBelow(root, folder)}`

export const pathBelow = (root: string, folder: string): string => relative(root, folder).split(sep).join('/')

/** The same folder, from wherever it was imported. */
export const isSameFolder = (one: string, two: string): boolean => resolve(one) === resolve(two)

/** The path of a title below the folder that was imported. */
export const placeIn = (origin: string): string => origin.slice(origin.indexOf(BORDER) + BORDER.length)

/** The same place in two copies of a library. */
export const isSamePlace = (one: string, two: string): boolean => placeIn(one) === placeIn(two)
