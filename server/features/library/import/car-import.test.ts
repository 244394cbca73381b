import { beforeAll, expect, test } from 'vitest';
import type { CarPreview } from '#contract/library/schemas.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const HEADER = 'make,modelFamily,variant,generation,modelKey,modelDisplay,years,drivetrain,raceClass';

const upload = (content: string | Buffer<ArrayBuffer>) =>
  app.as(admin).postForm('/api/admin/car-library/upload-preview', [['file', { name: 'cars.csv', content }]]);
const previewed = async (...lines: string[]) =>
  (await upload([HEADER, ...lines].join('\n'))).json<CarPreview>();
const importCars = (cars: unknown) => app.as(admin).post('/api/admin/car-library/import', { cars });
const imported = async (cars: unknown) => (await importCars(cars)).json();
const findCars = async (q: string) =>
  (await app.asGuest().get(`/api/car-library/search?q=${encodeURIComponent(q)}`)).json<CarModel[]>();

test('rows that are empty in a spreadsheet are no cars and no problems', async () => {
  const { summary, problems } = await previewed(
    'Empty,Rows,One,Mk1,empty-rows,,,,',
    ',,,,,,,,',
    '',
    '"",;  ,"",',
  );
  expect(summary).toEqual({ total: 1, new: 1, existing: 0, withProblems: 0 });
  expect(problems).toEqual([]);
});

test('new cars are shown, imported once, and found by a search', async () => {
  const lines = [
    'Škoda,Octavia,RS,Mk3,skoda-octavia-rs,Škoda Octavia RS,2013-2020,FWD,Touring',
    '"Caterham","Seven","620 ""R""",All years,caterham-620,"Caterham Seven, 620R",,RWD,',
  ];
  const preview = await previewed(...lines);
  expect(preview.summary).toEqual({ total: 2, new: 2, existing: 0, withProblems: 0 });
  expect(preview.newCars[1]).toEqual({
    make: 'Caterham',
    modelFamily: 'Seven',
    variant: '620 "R"',
    generation: 'All years',
    modelKey: 'caterham-620',
    modelDisplay: 'Caterham Seven, 620R',
    years: null,
    drivetrain: 'RWD',
    raceClass: null,
  });
  expect(await findCars('octavia')).toEqual([]);
  expect(await imported(preview.newCars)).toEqual({ imported: 2, existing: 0, problems: [] });
  expect((await findCars('skoda octavia')).map(({ modelKey }) => modelKey)).toEqual(['skoda-octavia-rs']);

  expect((await previewed(...lines)).summary).toEqual({ total: 2, new: 0, existing: 2, withProblems: 0 });
  expect(await imported(preview.newCars)).toEqual({ imported: 0, existing: 2, problems: [] });
});

test('a car without key, display name or generation has them made from the others', async () => {
  const { newCars } = await previewed(
    'Lotus,Exige,S,,,,2004-2006,RWD,',
    'Lotus,Elise,111,,,,,,',
    '日産,スカイライン,GT-R,R34,,,,,',
  );
  expect(
    newCars.map(({ modelKey, modelDisplay, generation }) => [modelKey, modelDisplay, generation]),
  ).toEqual([
    ['lotus-exige-2004-2006-s', 'Lotus Exige S (2004-2006)', '2004-2006'],
    ['lotus-elise-all-years-111', 'Lotus Elise 111 (All years)', 'All years'],
    ['日産-スカイライン-r34-gt-r', '日産 スカイライン GT-R (R34)', 'R34'],
  ]);
});

test('columns may stand in any order, be missing, and be separated by semicolons', async () => {
  for (const content of [
    'Variant;Make;Model Family;Colour\r\nCup;Renault;Clio;red\r\n\r\n',
    '\uFEFFmodel_family\tvariant\tmake\nClio\tCup\tRenault',
  ]) {
    const preview = (await upload(content)).json<CarPreview>();
    expect(preview.newCars).toMatchObject([{ make: 'Renault', modelFamily: 'Clio', variant: 'Cup' }]);
  }
  const utf16 = Buffer.from(`\uFEFF${HEADER}\nCitroën,Saxo,VTS,,,,,,`, 'utf16le');
  expect((await upload(utf16)).json<CarPreview>().newCars).toMatchObject([{ make: 'Citroën' }]);
});

test('a row with problems is listed with its line, and stops none of the others', async () => {
  const long = 'x'.repeat(201);
  const { summary, newCars, problems } = await previewed(
    'Audi,TT,,8N,,,,,',
    '',
    'Audi,"TT,RS,8J,,,,,',
    `${long},TT,RS,8J,,,,,`,
    'Audi,TT,RS,8J,audi-tt-rs,,,,',
    'Audi,TT,S,8J,audi-tt-rs,,,,',
    'Audi,TT,RS,8J,another-key,,,,',
    'Audi,TT,RS,8J,,,,,,too,many',
  );
  expect(problems).toEqual([
    { line: 2, field: 'variant', message: 'This is missing.' },
    { line: 4, field: null, message: 'The quotes of this line do not match.' },
    { line: 5, field: 'make', message: 'This may have at most 200 characters.' },
    { line: 7, field: 'modelKey', message: 'This car is in line 6 already.' },
    { line: 8, field: 'modelKey', message: 'This car is in line 6 already.' },
    { line: 9, field: null, message: 'This line has 11 values for 9 columns.' },
  ]);
  expect(newCars.map(({ modelKey }) => modelKey)).toEqual(['audi-tt-rs']);
  expect(summary).toEqual({ total: 7, new: 1, existing: 0, withProblems: 6 });
});

test('a line break in quotes belongs to its value, and lines after it keep their numbers', async () => {
  const { newCars, problems } = await previewed(
    'Morgan,"Plus\r\nFour",110,All years,morgan-plus-four,"Morgan Plus Four',
    '',
    'with ""110"" engine",,,',
    'Morgan,,Three,,,,,,',
    'Morgan,"Super\rThree',
    'F-type",Base,,,,,,',
    'Morgan,"Aero,8,,,,,,',
    'Morgan,Aero,"8" or 9,,,,,,',
    'Morgan,Aero,"8",,,,,,',
  );
  expect(newCars.map(({ modelFamily, modelDisplay }) => [modelFamily, modelDisplay])).toEqual([
    ['Plus Four', 'Morgan Plus Four with "110" engine'],
    ['Super Three F-type', 'Morgan Super Three F-type Base (All years)'],
    ['Aero', 'Morgan Aero 8 (All years)'],
  ]);
  expect(problems).toEqual([
    { line: 6, field: 'modelFamily', message: 'This is missing.' },
    { line: 10, field: null, message: 'The quotes of this line do not match.' },
    { line: 11, field: null, message: 'The quotes of this line do not match.' },
  ]);
});

test('a file of nothing but open quotes is read to its end', async () => {
  const { summary } = await previewed(...Array.from({ length: 20_000 }, () => 'Audi,"TT'));
  expect(summary).toEqual({ total: 20_000, new: 0, existing: 0, withProblems: 20_000 });
});

test('a car that would hide behind another of the same names is not taken', async () => {
  const car = { make: 'Seat', modelFamily: 'Leon', variant: 'Cupra', generation: '1M' };
  await imported([{ ...car, modelKey: 'seat-leon' }]);
  expect(await imported([{ ...car, modelKey: 'seat-leon-2' }])).toMatchObject({
    imported: 0,
    problems: [{ line: 1, field: 'modelKey', message: 'The library has this car as seat-leon.' }],
  });
  // Without a key of its own it is recognised.
  expect((await previewed('Seat,Leon,Cupra,1M,,,,,')).summary).toMatchObject({ new: 0, existing: 1 });
});

test('an import takes the good rows and reports the bad ones', async () => {
  const good = { make: 'Ginetta', modelFamily: 'G40', variant: 'Cup' };
  const rows = [null, { make: 'Ginetta' }, good, { ...good, variant: { deep: [] } }, [good]];
  const answer = await imported(rows);
  expect(answer.imported).toBe(1);
  const problems: { line: number }[] = answer.problems;
  expect([...new Set(problems.map(({ line }) => line))]).toEqual([1, 2, 4, 5]);
  const { rows: entries } = await app.database.pool.query(
    "SELECT counts FROM audit_log WHERE action = 'import-cars' ORDER BY at DESC LIMIT 1",
  );
  expect(entries).toMatchObject([{ counts: { imported: 1, existing: 0 } }]);
});

test('a file without our columns and a request without cars are refused with a sentence', async () => {
  for (const content of ['', 'make,model\nAudi,TT', '<html>', '{"cars":[]}']) {
    const response = await upload(content);
    expect([content, response.statusCode]).toEqual([content, 400]);
    expect(response.json().message).toMatch(/^The first line must name the columns; missing: .*variant\.$/);
  }
  expect((await importCars({ no: 'list' })).json()).toMatchObject({ fields: { cars: expect.any(String) } });
});

test('two imports of the same cars at once add each car once', async () => {
  const cars = ['One', 'Two'].map((variant) => ({ make: 'Twin', modelFamily: 'Car', variant }));
  const answers = await Promise.all([imported(cars), imported(cars)]);
  expect(answers.reduce((sum, answer) => sum + answer.imported, 0)).toBe(2);
});
