import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEADERS_ALLOWED, HEADERS_EXPOSED } from '#contract/headers.ts';
import { DEFAULT_ROUTE, ROUTES, type RouteEntry, routeKeysOf } from '#contract/routes.ts';
import { readAlarms } from '#test/ops/alarm-condition.ts';
import { type PackagedService, packageService } from '#test/support/packaged-service.ts';

const ENTRIES: readonly RouteEntry[] = Object.values(ROUTES);
const PUBLIC_ROUTES = [
  DEFAULT_ROUTE,
  ...ENTRIES.filter(({ access }) => access === 'public').flatMap(routeKeysOf),
].sort();

describe('the CloudFormation template', () => {
  let service: PackagedService;
  beforeAll(async () => {
    service = await packageService();
  });
  afterAll(() => service?.remove());

  const statementsOf = (role: string) =>
    service.resources[role]?.Properties.Policies.flatMap(
      // biome-ignore lint/suspicious/noExplicitAny: see Resource
      (policy: any) => policy.PolicyDocument.Statement,
    ) as { Action: string[]; Resource: unknown }[];
  const actionsOn = (role: string, resource: unknown) =>
    statementsOf(role)
      .filter((statement) => JSON.stringify(statement.Resource) === JSON.stringify(resource))
      .flatMap((statement) => statement.Action)
      .sort();
  const arn = (table: string) => ({ 'Fn::GetAtt': [table, 'Arn'] });

  describe('tables', () => {
    const NAMES = ['Articles', 'BusinessKeys', 'ExportJobs', 'IdempotencyKeys', 'Notifications'];

    it('are the five of the design, and no other', () => {
      expect(
        service
          .ofType('AWS::DynamoDB::Table')
          .map(([name]) => name)
          .sort(),
      ).toEqual(NAMES);
    });

    it.each(NAMES)('%s cannot be lost by a mistake', (name) => {
      expect(service.resources[name]).toMatchObject({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { SSEEnabled: true },
        },
      });
    });

    it('a claim on a source batch never expires', () => {
      expect(service.resources.BusinessKeys?.Properties.TimeToLiveSpecification).toBeUndefined();
    });

    it('articles never expire', () => {
      expect(service.resources.Articles?.Properties.TimeToLiveSpecification).toBeUndefined();
    });

    it.each(['IdempotencyKeys', 'ExportJobs', 'Notifications'])('%s is purged by time', (name) => {
      expect(service.resources[name]?.Properties.TimeToLiveSpecification).toEqual({
        AttributeName: 'purgeAtSeconds',
        Enabled: true,
      });
    });

    it('no index slows the table of idempotency keys', () => {
      expect(service.resources.IdempotencyKeys?.Properties.GlobalSecondaryIndexes).toBeUndefined();
    });
  });

  describe('functions', () => {
    it('run on Node 24 on arm64, each under a role of its own', () => {
      const functions = service.ofType('AWS::Lambda::Function');
      const roles = functions.map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0]);

      expect(functions).toHaveLength(18);
      expect(new Set(roles).size).toBe(functions.length);
      for (const [, { Properties }] of functions) {
        expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      }
    });

    it('keep their logs for a bounded time', () => {
      const groups = service.ofType('AWS::Logs::LogGroup');

      // One for each function, one for the API.
      expect(groups).toHaveLength(19);
      for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
    });

    it('that hold a long poll have a concurrency of their own', () => {
      expect(service.resources.GetExportJobLambdaFunction?.Properties).toMatchObject({
        Timeout: 25,
        ReservedConcurrentExecutions: 100,
      });
    });

    it('create has a concurrency that neither long polls nor the worker can take', () => {
      const reserved = service
        .ofType('AWS::Lambda::Function')
        .map(([name, { Properties }]) => [name, Properties.ReservedConcurrentExecutions])
        .filter(([, concurrency]) => concurrency !== undefined);

      expect(Object.fromEntries(reserved)).toEqual({
        CreateExportJobLambdaFunction: 300,
        GetExportJobLambdaFunction: 100,
        RunJobLambdaFunction: 10,
      });
    });

    it('create ends before the gateway gives up', () => {
      expect(service.resources.CreateExportJobLambdaFunction?.Properties.Timeout).toBe(10);
    });
  });

  describe('roles', () => {
    it('name every action in full', () => {
      const actions = service
        .ofType('AWS::IAM::Role')
        .flatMap(([name]) => statementsOf(name).flatMap(({ Action }) => Action));

      expect(actions.length).toBeGreaterThan(36);
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    });

    it('name every resource; a star stands only for log streams and files', () => {
      const resources = service
        .ofType('AWS::IAM::Role')
        .flatMap(([name]) =>
          statementsOf(name).map((statement) => JSON.stringify(statement.Resource)),
        );

      const starred = resources.filter((resource) => resource.includes('*'));

      expect(starred.length).toBeGreaterThan(18);
      for (const resource of starred) {
        expect(resource).toMatch(
          /:log-group:\/aws\/lambda\/export-once-prod-[a-z-]+:\*"|\$\{ExportsBucket\}\/exports\/\*"/,
        );
      }
    });

    it('let create add and look, never change or remove', () => {
      const all = statementsOf('CreateExportJobRole').flatMap(({ Action }) => Action);

      expect(all.filter((action) => /Update|Delete|Scan|Query/.test(action))).toEqual([]);
      expect(actionsOn('CreateExportJobRole', arn('BusinessKeys'))).toEqual([
        'dynamodb:ConditionCheckItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
      ]);
    });

    it('keep the worker away from idempotency keys and claims', () => {
      for (const role of ['RunJobRole', 'HandOverJobsRole', 'SweepJobsRole']) {
        expect(JSON.stringify(statementsOf(role))).not.toMatch(/IdempotencyKeys|BusinessKeys/);
      }
      expect(actionsOn('RunJobRole', arn('ExportJobs'))).toEqual([
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
      ]);
    });

    it('let the look at the backlog read when keys are purged, and nothing else of them', () => {
      const statements = statementsOf('MeasureBacklogRole').slice(1);

      expect(statements).toEqual([
        {
          Effect: 'Allow',
          Action: ['dynamodb:Query'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation resolves it
          Resource: { 'Fn::Sub': '${Notifications.Arn}/index/DueNotifications' },
        },
        {
          Effect: 'Allow',
          Action: ['dynamodb:Scan'],
          Resource: arn('IdempotencyKeys'),
          Condition: {
            'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'purgeAtSeconds'] },
            StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
          },
        },
      ]);
    });

    it('let nobody but create and abandon write keys, and nobody but create claims', () => {
      const writing = (table: string) =>
        service
          .ofType('AWS::IAM::Role')
          .filter(([name]) =>
            actionsOn(name, arn(table)).some((action) => /Put|Update/.test(action)),
          )
          .map(([name]) => name)
          .sort();

      expect(writing('IdempotencyKeys')).toEqual(['AbandonOperationRole', 'CreateExportJobRole']);
      expect(writing('BusinessKeys')).toEqual(['CreateExportJobRole']);
    });

    it('let nobody delete anything but an article', () => {
      const deleting = service
        .ofType('AWS::IAM::Role')
        .filter(([name]) => JSON.stringify(statementsOf(name)).includes('Delete'));

      expect(deleting.map(([name]) => name)).toEqual(['DeleteArticleRole']);
    });

    it('give functions that anyone may call nothing but their logs', () => {
      for (const role of ['GetCapabilitiesRole', 'ReadDocsRole', 'AnswerUnknownRouteRole']) {
        expect(statementsOf(role).flatMap(({ Action }) => Action)).toEqual([
          'logs:CreateLogStream',
          'logs:PutLogEvents',
        ]);
      }
    });
  });

  describe('routes', () => {
    it('ask for a token everywhere but on the public ones', () => {
      const routes = service
        .ofType('AWS::ApiGatewayV2::Route')
        .map(([, { Properties }]) => Properties);
      const open = routes.filter((route) => route.AuthorizationType !== 'JWT');

      expect(open.map((route) => route.RouteKey).sort()).toEqual(PUBLIC_ROUTES);
      expect(routes.length).toBeGreaterThan(open.length + 10);
      for (const route of routes.filter((one) => !open.includes(one))) {
        expect(route.AuthorizerId).toEqual({ Ref: 'HttpApiAuthorizerCallers' });
      }
    });

    it('believe nobody until an issuer is named', () => {
      expect(service.resources.HttpApiAuthorizerCallers?.Properties).toMatchObject({
        AuthorizerType: 'JWT',
        JwtConfiguration: { Issuer: 'https://jwt-issuer.invalid/', Audience: ['export-once'] },
      });
    });

    it('hand events over in payload format 2.0', () => {
      const integrations = service.ofType('AWS::ApiGatewayV2::Integration');

      expect(integrations.length).toBeGreaterThan(0);
      for (const [, { Properties }] of integrations) {
        expect(Properties.PayloadFormatVersion).toBe('2.0');
      }
    });
  });

  it('name tables only to functions that use them', () => {
    const without = service
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => !Properties.Environment.Variables.TABLE_EXPORT_JOBS)
      .map(([name]) => name);

    expect(without.sort()).toEqual([
      'AnswerUnknownRouteLambdaFunction',
      'GetCapabilitiesLambdaFunction',
      'HandOverJobsLambdaFunction',
      'ReadDocsLambdaFunction',
    ]);
  });

  it('lets no browser in until an origin is named', () => {
    expect(service.resources.HttpApi?.Properties).not.toHaveProperty('CorsConfiguration');
  });

  describe('the stage of the API', () => {
    const stage = () => service.resources.HttpApiStage?.Properties;

    it('throttles each route by itself, public ones harder', () => {
      const { DefaultRouteSettings, RouteSettings } = stage();

      expect(DefaultRouteSettings).toMatchObject({
        ThrottlingRateLimit: 200,
        ThrottlingBurstLimit: 400,
      });
      expect(Object.keys(RouteSettings).sort()).toEqual(
        [...PUBLIC_ROUTES, 'POST /v1/export-jobs'].sort(),
      );
      for (const route of PUBLIC_ROUTES) {
        expect(RouteSettings[route]).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 });
      }
      expect(RouteSettings['POST /v1/export-jobs']).toEqual({
        ThrottlingRateLimit: 100,
        ThrottlingBurstLimit: 200,
      });
    });

    it('waits for each route that it has settings for', () => {
      const awaited = [service.resources.HttpApiStage?.DependsOn].flat();
      const keys = awaited.map((name) => service.resources[name ?? '']?.Properties.RouteKey);

      expect(keys.sort()).toEqual(Object.keys(stage().RouteSettings).sort());
    });

    it('logs each request by its route key: no path, no query, no header, no address, no caller', () => {
      const { DestinationArn, Format } = stage().AccessLogSettings;
      const logged = Object.values<string>(JSON.parse(Format)).sort();

      expect(DestinationArn).toEqual(arn('ApiAccessLogs'));
      expect(logged).toEqual([
        '$context.authorizer.error',
        '$context.error.responseType',
        '$context.integration.status',
        '$context.integrationLatency',
        '$context.integrationStatus',
        '$context.requestId',
        '$context.requestTimeEpoch',
        '$context.responseLatency',
        '$context.responseLength',
        '$context.routeKey',
        '$context.status',
      ]);
    });
  });

  it('has the alarms of infra/alarms.yml, for this stage, and one dashboard', () => {
    const inTemplate = service.ofType('AWS::CloudWatch::Alarm').map(([name]) => name);
    const [[, dashboard] = []] = service.ofType('AWS::CloudWatch::Dashboard');

    expect(inTemplate.sort()).toEqual(
      [...readAlarms().keys()].map((name) => `${name}Alarm`).sort(),
    );
    expect(dashboard?.Properties.DashboardName).toBe('export-once-prod');
    expect(
      JSON.parse(dashboard?.Properties.DashboardBody['Fn::Sub']).widgets.length,
    ).toBeGreaterThan(9);
  });

  it('the stream hands over new jobs only, in bounded tries, and keeps what it gives up', () => {
    const [[, mapping] = []] = service.ofType('AWS::Lambda::EventSourceMapping');

    expect(mapping?.Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      MaximumRetryAttempts: 5,
      MaximumRecordAgeInSeconds: 3600,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: arn('HandOverDeadLetters') } },
    });
    expect(
      mapping?.Properties.FilterCriteria.Filters.map((filter: { Pattern: string }) =>
        JSON.parse(filter.Pattern),
      ),
    ).toEqual([{ eventName: ['INSERT'], dynamodb: { NewImage: { status: { S: ['queued'] } } } }]);
  });

  it('run-job is tried three times and then kept', () => {
    expect(service.resources.RunJobLambdaEvConf?.Properties).toMatchObject({
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: arn('RunJobDeadLetters') } },
    });
  });

  it('an alarm watches each queue of what was given up', () => {
    const queues = service.ofType('AWS::SQS::Queue').map(([name]) => name);
    const watched = service
      .ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => Properties.Namespace === 'AWS/SQS')
      .map(([, { Properties }]) => Properties.Dimensions[0].Value['Fn::GetAtt'][0]);

    expect(queues).toHaveLength(2);
    expect(watched.sort()).toEqual(queues.sort());
  });

  it('the bucket of exports is private and outlives each job by two days', () => {
    expect(service.resources.ExportsBucket).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        LifecycleConfiguration: {
          Rules: [{ Status: 'Enabled', Prefix: 'exports/', ExpirationInDays: 32 }],
        },
      },
    });
  });
});

describe('the template of a stage for browsers, below a base path', () => {
  let service: PackagedService;
  beforeAll(async () => {
    service = await packageService([
      '--param=allowedOrigins=https://a.example, https://b.example',
      '--param=basePath=/exports',
    ]);
  });
  afterAll(() => service?.remove());

  it('has the gateway answer for the origins, with the headers of the contract', () => {
    expect(service.resources.HttpApi?.Properties.CorsConfiguration).toEqual({
      AllowOrigins: ['https://a.example', 'https://b.example'],
      AllowMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
      AllowHeaders: [...HEADERS_ALLOWED],
      ExposeHeaders: [...HEADERS_EXPOSED],
      MaxAge: 600,
    });
  });

  it('tells every function its base path', () => {
    for (const [, { Properties }] of service.ofType('AWS::Lambda::Function')) {
      expect(Properties.Environment.Variables.BASE_PATH).toBe('/exports');
    }
  });
});
