// Answers GET /brands, /brands/{id-or-slug} and the watches of one brand.
import type { BrandRow } from '../../catalogue/brands.ts'
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { parseListQuery } from '../../search/query/parse-query.ts'
import { brandSorts, describeBrand, listBrands as listMatching } from '../../search/results/list-brands.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { jsonOf } from '../responses/json.ts'
import { pageLinks } from '../responses/page-links.ts'
import { prepareList } from '../responses/prepare-list.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

export function listBrands({ rawQuery }: Call, { index: current, baseUrl }: ApiParts): Prepared {
  const index = current()
  const query = parseListQuery(rawQuery, brandSorts)
  return {
    etag: catalogueEtag(index, `/brands${JSON.stringify(query)}`),
    make: () => {
      const { total, brands } = listMatching(index, query)
      const { page, perPage } = query.paging
      const meta = { current_page: page, per_page: perPage, total }
      return {
        headers: pageLinks(`${baseUrl}/api/v1/brands`, rawQuery, query.paging, total),
        content: jsonOf({ data: brands, meta }),
      }
    },
  }
}

export function getBrand({ parameters }: Call, { index: current }: ApiParts): Prepared {
  const index = current()
  const brand = getRow(index, parameters.brand)
  return {
    etag: catalogueEtag(index, `/brands/${brand.id}`),
    make: () => ({ headers: {}, content: jsonOf({ data: describeBrand(index, brand) }) }),
  }
}

export function listBrandWatches({ rawQuery, parameters }: Call, { index, baseUrl }: ApiParts): Prepared {
  return prepareList(index(), baseUrl, rawQuery, (current) => {
    const { id, slug } = getRow(current, parameters.brand)
    return { path: `/brands/${slug}/watches`, brandId: id }
  })
}

function getRow(index: WatchIndex, idOrSlug = ''): BrandRow {
  const brand = index.brands.findByPath(idOrSlug)
  if (brand === undefined) throw new Problem('not_found')
  return brand
}
