import type { MigrationInterface, QueryRunner } from "typeorm";

export class Audit1741700000000 implements MigrationInterface {
  name = "Audit1741700000000";

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "audit_old"`);
    await queryRunner.query(`CREATE TABLE "audit" ("id" uuid PRIMARY KEY)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "audit_old" ("id" uuid PRIMARY KEY)`);
    await queryRunner.query(`DROP TABLE "audit"`);
  }
}
