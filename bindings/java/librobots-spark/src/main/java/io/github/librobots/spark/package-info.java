/**
 * robots.txt for tables of URLs in Apache Spark: SQL functions ({@link io.github.librobots.spark.RobotsCatalog}), a filter
 * ({@link io.github.librobots.spark.RobotsFilter}), a reader of WARC files ({@link io.github.librobots.spark.WarcSource}) and a job
 * ({@link io.github.librobots.spark.FilterJob}).
 */
package io.github.librobots.spark;
