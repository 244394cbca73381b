import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { carEndpoints } from '#contract/cars/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  findCarModelByNames,
  listCarNames,
  listSimilarCarModels,
  searchCarModels,
} from '#server/model/cars/car-store.ts';
import { splitSearchWords } from '#server/model/cars/search-text.ts';

export function mountCarRoutes(app: FastifyInstance, { database }: Services): void {
  serve(app, carEndpoints.makes, ({ request }) =>
    database.read(request, ({ db }) => listCarNames(db, 'make')),
  );
  serve(app, carEndpoints.modelFamilies, ({ request, query }) =>
    database.read(request, ({ db }) => listCarNames(db, 'modelFamily', query)),
  );
  serve(app, carEndpoints.variants, ({ request, query }) =>
    database.read(request, ({ db }) => listCarNames(db, 'variant', query)),
  );
  serve(app, carEndpoints.generations, ({ request, query }) =>
    database.read(request, ({ db }) => listCarNames(db, 'generation', query)),
  );
  serve(app, carEndpoints.raceClasses, ({ request }) =>
    database.read(request, ({ db }) => listCarNames(db, 'raceClass')),
  );
  serve(app, carEndpoints.drivetrains, ({ request }) =>
    database.read(request, ({ db }) => listCarNames(db, 'drivetrain')),
  );

  serve(app, carEndpoints.exactMatch, async ({ request, query }) => {
    const model = await database.read(request, ({ db }) => findCarModelByNames(db, query));
    if (!model) throw new AppError('not_found', 'There is no such car in the library.');
    return model;
  });

  serve(app, carEndpoints.search, ({ request, query }) =>
    database.read(request, ({ db }) =>
      searchCarModels(db, splitSearchWords(query.q), LIMITS.carSearchResultsMax),
    ),
  );

  serve(app, carEndpoints.similar, ({ request, query }) =>
    database.read(request, ({ db }) =>
      listSimilarCarModels(db, splitSearchWords(query.q), LIMITS.similarCarsMax),
    ),
  );
}
